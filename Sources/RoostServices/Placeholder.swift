// RoostServices

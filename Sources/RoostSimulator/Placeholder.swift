// RoostSimulator

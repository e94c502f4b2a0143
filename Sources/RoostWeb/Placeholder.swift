// RoostWeb

"""What was taught or is loaded from weights: logistic regressions, ONNX sessions, and the weights themselves."""

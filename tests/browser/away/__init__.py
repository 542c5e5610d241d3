"""Pages whose house is out of reach: games that go on are told by taps, kept on the device, and counted there."""

"""History: results, score sheets, payments, leaderboards, exports."""

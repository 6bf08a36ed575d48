"""Private panels on the screens of players, for as long as Discord lets them be edited."""

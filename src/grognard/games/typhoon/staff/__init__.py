"""What computer players are taught of Typhoon!"""

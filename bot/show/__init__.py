"""Everything people see: Discord components and sentences, made from Scenes and Views.

Pure: the same scene and words always give the same screen. Decides nothing about a game and stores nothing.
"""

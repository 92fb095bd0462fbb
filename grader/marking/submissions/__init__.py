"""Submissions as they come: tables, spreadsheets, exports of an LMS, JSON lines, folders and text sheets."""

"""What the pages are made of; the only part of the project, with app.py, that knows Streamlit."""

-- A stored answer never changes: its id stands for all of it, and a process may keep the text of a response by that id.
create trigger resolution_never_changes before update on resolution for each row execute function refuse_change();

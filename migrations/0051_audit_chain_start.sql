-- repeat
select start_audit_chains(500) as left

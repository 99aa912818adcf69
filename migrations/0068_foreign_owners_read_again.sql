-- Owners whose country is a town, a register or nothing of use are looked up by law and registry, and those abroad are one owner
-- however their country is spelled. Rows without the hash of their line are read again from the next file of all owners: here
-- organisations without a company of the register, a few in a hundred rows. The previous release works with it.
update psc set row_hash = null where row_hash is not null and owner_number is null and identification is not null;

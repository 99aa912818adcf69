-- Owners that state a whole number of a UK register beside a foreign country, or a city or a short name of a country of the UK,
-- are found by that number. Rows without the hash of their line are read again from the next file of all owners, which finds
-- them. The scan locks no row but those few. The previous release works with it.
update psc set row_hash = null
where row_hash is not null and owner_number is null and name_key is not null
  and (identification ->> 'registration_number' ~* '^\W*(?:OE|FC|SC|NI|OC|SO|NC|LP|SL|SF|NF|CE|CS|RC|IP|SP|NP|GN|GS)(?:\W*\d){6}\W*$'
    or identification ->> 'country_registered' ~* '\mn\.? ?ireland\M|\mbritain\M|^\s*(?:london|cardiff|edinburgh|belfast|n\.?i\.?|companies house)\s*$');

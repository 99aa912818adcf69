-- repeat
-- Owners whose country is a town, a register or nothing of use are looked up by law and registry, and those abroad are one owner
-- however their country is spelled. A number of no named country, or of a foreign one that writes numbers as the UK does, is kept
-- with the owner's own key. Rows without the hash of their line are read again from the next file of all owners: here those in
-- force of organisations without a company of the register, or with one and no country of the UK, a few in a hundred rows. Each
-- part finds its rows first, locks them for seconds at most, and gives way to the streams where they hold one. The previous
-- release works with it.
with part as (
  select company_number, psc_id from psc
  where row_hash is not null and not is_ceased and identification is not null
    and (owner_number is null or owner_key is null and coalesce(identification ->> 'country_registered', '')
      !~* '\m(?:united kingdom|u\.?k|g\.?b|(?<!new )britain|england|(?<!south )wales|scotland|northern ireland)\M')
  limit 50000
), emptied as (
  update psc set row_hash = null from part
  where psc.company_number = part.company_number and psc.psc_id = part.psc_id
  returning psc.psc_id
)
select count(*) as left from emptied

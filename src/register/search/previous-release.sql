-- The functions that the previous release calls: it serves while this one starts.

create or replace function search_filtered(wanted search_filter, skip integer, take integer)
returns table (number text, score real, is_previous boolean) language plpgsql stable as $$
begin
  return query select * from search_filtered(row (wanted.status, wanted.accounts_type, wanted.postcode, wanted.outward,
    wanted.day_from, wanted.day_to, null, null, null, null, null, null)::company_filter, skip, take);
end $$;

create or replace function search_names(typed text, wanted search_filter, skip integer, take integer)
returns table (number text, score real, is_previous boolean) language plpgsql stable as $$
begin
  return query select * from search_names(typed, row (wanted.status, wanted.accounts_type, wanted.postcode, wanted.outward,
    wanted.day_from, wanted.day_to, null, null, null, null, null, null)::company_filter, skip, take);
end $$;

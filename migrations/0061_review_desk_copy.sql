-- repeat
-- Copies the candidates and the kind of doubt to the list of reviews, a part at a time. A review whose answer is gone has neither.
with part as (
  select item.id, answer.situation, answer.findings->'candidates' as candidates
  from review_item item join resolution answer on answer.id = item.resolution_id
  where item.situation is null limit 1000
), copied as (
  update review_item item set situation = part.situation,
    candidate_numbers = array(select one->>'companyNumber' from jsonb_array_elements(part.candidates) one),
    candidate_names = coalesce(lower((
      select string_agg(one->>'companyName', E'\n') from jsonb_array_elements(part.candidates) one)), '')
  from part where part.id = item.id and item.situation is null
  returning item.id
)
select count(*) as left from copied

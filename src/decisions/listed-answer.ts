/** The copy of an answer that the list is searched and filtered by: its kind of doubt, and its candidates, best first. */

export const LISTED_COLUMNS = 'situation, candidate_numbers, candidate_names'

export const LISTED_EXCLUDED = `situation = excluded.situation, candidate_numbers = excluded.candidate_numbers,
  candidate_names = excluded.candidate_names`

const candidates = (part: string) =>
  `select ${part} from jsonb_array_elements(answer.findings->'candidates') with ordinality one (candidate, rank)`

/** SQL that joins these columns of an answer as `listed`: one row, also where the answer is not stored any more. */
export const joinListed = (resolution: string): string => `cross join lateral (
    select answer.situation,
      array(${candidates(`candidate->>'companyNumber'`)} order by rank) as candidate_numbers,
      coalesce(lower((${candidates(String.raw`string_agg(candidate->>'companyName', E'\n' order by rank)`)})), '') as candidate_names
    from (values (${resolution})) wanted (id) left join resolution answer on answer.id = wanted.id
  ) listed`

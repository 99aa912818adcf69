/** Values for the criteria of a search. */
export const SEARCH_VALUES: Readonly<Record<string, unknown>> = {
  age_from_years: 2,
  age_to_years: 10,
  employees_from: 10,
  employees_to: 49,
  net_assets_from: -50_000,
  net_assets_to: 1_000_000,
}

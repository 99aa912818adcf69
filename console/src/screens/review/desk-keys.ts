/** The keys of the review desk, for the list of shortcuts. */
export const DESK_KEYS = [
  ['j', 'Next review'],
  ['k', 'Previous review'],
  ['1–9', 'Choose a candidate'],
  ['0', 'Choose “None of these”'],
  ['o', 'Choose another company'],
  ['a', 'Accept the chosen company'],
  ['r', 'Reject: none of these'],
  ['s', 'Same decision for what is like it'],
  ['u', 'Undo the last decision'],
] as const

/** Values of the members that owners and groups of companies have. */
export const GROUP_VALUES: Readonly<Record<string, unknown>> = {
  control: 'parent',
  control_text: 'More than half of the shares or votes, or the right to appoint the board',
  country_registered: 'England And Wales',
  owner_company: null,
  top: 'people',
  group_notes: [
    'COPPER KETTLE LTD (07214938) and COPPER KETTLE TRADING LTD (07249082) are sister companies with the same parent, KETTLE HOLDINGS LTD.',
  ],
  top_text: 'People have the majority.',
  top_statement_text: null,
  children_cursor: '07214938',
  siblings_cursor: '07214938',
}

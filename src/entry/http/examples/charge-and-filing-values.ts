/** Values of the members that charges and pages of filings have. */
export const CHARGE_AND_FILING_VALUES: Readonly<Record<string, unknown>> = {
  'Charge.status': 'outstanding',
  'Charge.status_text': 'Outstanding',
  'Charge.description': 'A registered charge',
  'Charge.particulars': {
    type: 'brief-description',
    type_text: 'Brief description',
    description: 'The freehold land at 4 Weir Lane',
    flags: ['contains_fixed_charge', 'contains_negative_pledge'],
    flags_text: ['Contains fixed charge', 'Contains negative pledge'],
  },
  'Charge.secured_details': null,
  'Charge.assets_ceased_released': null,
  'Charge.assets_ceased_released_text': null,
  'CompanyFilings.total': 214,
  'CompanyFilings.next_cursor': '100',
  filings_next_cursor: null,
}

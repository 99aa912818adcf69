/** Domains of worlds/demo that a newcomer is offered: every outcome of an answer, the clearest first. */
export const DEMO_DOMAINS = [
  // The number is in the footer.
  'harbourlantern.co.uk',
  // The number it prints is another company's.
  'ropewalkpress.co.uk',
  // A trading name of a company that is called otherwise.
  'tallheron.co.uk',
  // For sale.
  'copperkettle.co.uk',
  // An Irish company whose number is another company's in the UK.
  'claddaghkayaks.ie',
  // Under a former name.
  'meadowgatecare.co.uk',
  // It refuses to be read.
  'nettleandplum.co.uk',
]

/** Sites for the second reader: the rules leave the first open, and it finds the company; it objects to the second. */
export const SECOND_READER_DOMAINS = ['larchandlinen.co.uk', 'millandmarrow.co.uk']

/** The company behind the first of them. */
export const DEMO_COMPANY = '08496536'

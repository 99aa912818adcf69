/** The kinds of evidence that prove that a number is the site's own. */
export const NUMBER_EVIDENCE: ReadonlySet<string> = new Set(['company_number', 'certificate', 'structured_data'])

/** Figures and deadlines in sentences: one way to write each, for all pages, tools and e-mails. */

/** Formats a probability: 0.8 is "80%", 0.985 is "98.5%". Never rounds up: 0.9999 is "99.9%". */
export function formatPercent(probability: number): string {
  // Floating point makes 0.57 * 1000 a little less than 570.
  const tenths = Math.floor(probability * 1_000 + 1e-6)
  if (tenths === 0 && probability > 0) return 'below 0.1%'
  return `${tenths % 10 === 0 ? tenths / 10 : (tenths / 10).toFixed(1)}%`
}

/** Returns a label as it is in the middle of a sentence: "In Administration" is "in administration"; "PLC" stays. */
export function toMidSentence(label: string): string {
  return label.replaceAll(/\b\p{Lu}(?=\p{Ll})/gu, (letter) => letter.toLowerCase())
}

const longDay = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** Formats a day: `2026-03-03` is "3 March 2026". */
export function formatDay(day: string): string {
  return longDay.format(new Date(`${day}T00:00:00Z`))
}

const DEADLINES = {
  accounts: { subject: 'The accounts', past: 'were', present: 'are' },
  confirmation_statement: { subject: 'The confirmation statement', past: 'was', present: 'is' },
  update_statement: { subject: 'The yearly update statement', past: 'was', present: 'is' },
} as const

/** "The confirmation statement was due on 2026-03-01 and is overdue." Null where no day is known. */
export function formatDeadline(
  what: keyof typeof DEADLINES,
  due: string | null,
  isOverdue: boolean | null,
): string | null {
  if (due === null) return null
  const { subject, past, present } = DEADLINES[what]
  return isOverdue ? `${subject} ${past} due on ${due} and ${present} overdue.` : `${subject} ${present} due on ${due}.`
}

/** How far an owner controls a company, from the natures of control on its record. */
import { NATURES_OF_CONTROL } from '../vocabulary.ts'

export const CONTROLS = ['parent', 'holder', 'through_others'] as const

/**
 * `parent`: more than half of the shares or votes, or the right to appoint the board, held directly. `holder`: a smaller part,
 * or influence. `through_others`: only as a trustee or a member of a firm, which is not ownership.
 */
export type Control = (typeof CONTROLS)[number]

const CONTROL_WORDS: Readonly<Record<Control, string>> = {
  parent: 'More than half of the shares or votes, or the right to appoint the board',
  holder: 'Not more than half of the shares and votes, or influence',
  through_others: 'Only as a trustee or a member of a firm',
}

export const describeControl = (control: Control): string => CONTROL_WORDS[control]

const MAJORITY: ReadonlySet<string | null> = new Set(['50-75', '75-100'])

/** Null when no nature of control is known. */
export function deriveControl(natures: readonly string[]): Control | null {
  const known = natures.flatMap((code) =>
    Object.hasOwn(NATURES_OF_CONTROL, code) ? (NATURES_OF_CONTROL[code] ?? []) : [],
  )
  if (known.length === 0) return null
  const direct = known.filter(({ via }) => via === 'direct')
  if (direct.length === 0) return 'through_others'
  const isMajority = direct.some(
    ({ right, band }) => right === 'appoint-board' || ((right === 'shares' || right === 'votes') && MAJORITY.has(band)),
  )
  return isMajority ? 'parent' : 'holder'
}

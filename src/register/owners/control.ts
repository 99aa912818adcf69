/** How far an owner controls a company, from the natures of control on its record. */
import { NATURES_OF_CONTROL } from '../vocabulary.ts'

/** The strongest first. */
export const CONTROLS = ['parent', 'more_than_quarter', 'holder', 'through_others'] as const

/**
 * `parent`: more than half of the shares or votes, or the right to appoint the board, held directly. `more_than_quarter`: all
 * that overseas entities state of shares and votes, so it may be a majority or not. `holder`: a part that is no majority, or
 * influence. `through_others`: only as a trustee or a member of a firm, which is not ownership.
 */
export type Control = (typeof CONTROLS)[number]

const CONTROL_WORDS: Readonly<Record<Control, string>> = {
  parent: 'More than half of the shares or votes, or the right to appoint the board',
  more_than_quarter: 'More than a quarter of the shares or votes, which may be more than half',
  holder: 'Not more than half of the shares and votes, or influence',
  through_others: 'Only as a trustee or a member of a firm',
}

export const describeControl = (control: Control): string => CONTROL_WORDS[control]

const MAJORITY: ReadonlySet<string | null> = new Set(['50-75', '75-100'])
const OPEN_ENDED = '25+'

const listKnown = (natures: readonly string[]) =>
  natures.flatMap((code) => (Object.hasOwn(NATURES_OF_CONTROL, code) ? (NATURES_OF_CONTROL[code] ?? []) : []))

/** Null when no nature of control is known. */
export function deriveControl(natures: readonly string[]): Control | null {
  const known = listKnown(natures)
  if (known.length === 0) return null
  const direct = known.filter(({ via }) => via === 'direct')
  if (direct.length === 0) return 'through_others'
  const bands = direct.flatMap(({ right, band }) => (right === 'shares' || right === 'votes' ? band : []))
  if (direct.some(({ right }) => right === 'appoint-board') || bands.some((band) => MAJORITY.has(band))) return 'parent'
  return bands.includes(OPEN_ENDED) ? 'more_than_quarter' : 'holder'
}

/** A right that an owner can have by more than half. */
export type MajorityRight = 'shares' | 'votes'

/** Returns of which of them an owner holds more than half directly. */
export function listMajorities(natures: readonly string[]): MajorityRight[] {
  const held = listKnown(natures).filter(({ via, band }) => via === 'direct' && MAJORITY.has(band))
  return (['shares', 'votes'] as const).filter((each) => held.some(({ right }) => right === each))
}

import type { Deployment } from './deployment.ts'

const MARKS = { passed: '✓', failed: '✗', not_shown: '–' } as const
const DETAIL_INDENT = '      '

export interface RowResult {
  area: string
  id: string
  words: string
  outcome: 'passed' | 'failed' | 'not_shown'
  ok: boolean
  /** How it was shown; or what was expected and what came; or what was missing. */
  detail: string
  duration_ms: number
}

export type Report = ReturnType<typeof toReport>

export function toReport({ baseUrl, siteUrl }: Deployment, results: readonly RowResult[], seconds: number) {
  const count = (outcome: RowResult['outcome']) => results.filter((result) => result.outcome === outcome).length
  return {
    base_url: baseUrl.origin,
    site_url: siteUrl.origin,
    rows: results.length,
    passed: count('passed'),
    failed: count('failed'),
    not_shown: count('not_shown'),
    seconds,
    results,
  }
}

/** Returns the lines of a row in the table, with its area's title where that is new. */
export function formatRow({ area, words, outcome, detail }: RowResult, previousArea: string | null): string {
  const title = area === previousArea ? '' : `\n${area}\n`
  const reason = outcome === 'not_shown' ? `not shown: ${detail}` : detail
  return `${title}  ${MARKS[outcome]} ${words}\n${DETAIL_INDENT}${reason}`
}

export function formatCounts({ rows, passed, failed, not_shown: notShown, seconds, results }: Report): string {
  const lines = [`\n${rows} rows in ${seconds.toFixed(1)} s: ${passed} passed, ${failed} failed, ${notShown} not shown`]
  for (const { id, words, detail } of results.filter(({ outcome }) => outcome === 'failed')) {
    lines.push(`  ✗ ${id}: ${words}\n${DETAIL_INDENT}${detail}`)
  }
  return lines.join('\n')
}

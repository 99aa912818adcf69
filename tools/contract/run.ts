import { AREAS } from './areas/index.ts'
import type { Deployment } from './deployment.ts'
import type { RowResult } from './report.ts'
import { type Area, type Check, DOMAIN_PATHS } from './row.ts'
import { Mismatch, NotShown } from './shown.ts'
import { openStage, type Stage, startAhead } from './stage.ts'

/** Shows every row of the contract, one after the other. Each has a result, whatever happens. */
export async function runContract(
  deployment: Deployment,
  onResult: (result: RowResult) => void = () => undefined,
): Promise<RowResult[]> {
  const stage = openStage(deployment)
  await assertAnswers(stage)
  startAhead(stage, DOMAIN_PATHS)
  const results = await showAreas(stage, AREAS, onResult)
  await stage.close()
  return results
}

export async function showAreas(
  stage: Stage,
  areas: readonly Area[],
  onResult: (result: RowResult) => void = () => undefined,
): Promise<RowResult[]> {
  const results: RowResult[] = []
  for (const { title, rows } of areas) {
    for (const [name, checks] of Object.entries(rows)) {
      const result = await showRow(stage, { area: title, ...splitName(name) }, [checks].flat())
      results.push(result)
      onResult(result)
    }
  }
  return results
}

/** Fails when no service answers: nothing else is worth asking then. */
async function assertAnswers({ call, deployment }: Stage): Promise<void> {
  await call('GET', '/healthz').catch((error: unknown) => {
    const { origin } = deployment.baseUrl
    throw new Error(`${origin} does not answer. Start it with npm run dev, or say where it is: --base-url`, {
      cause: error,
    })
  })
}

async function showRow(
  stage: Stage,
  row: Pick<RowResult, 'area' | 'id' | 'words'>,
  checks: readonly Check[],
): Promise<RowResult> {
  const startedAt = Date.now()
  const toResult = (outcome: RowResult['outcome'], detail: string): RowResult => {
    return { ...row, outcome, ok: outcome === 'passed', detail, duration_ms: Date.now() - startedAt }
  }
  try {
    const details = new Set<string>()
    for (const check of checks) details.add(await check(stage))
    return toResult('passed', [...details].join('; '))
  } catch (error) {
    if (error instanceof NotShown) return toResult('not_shown', error.message)
    return toResult('failed', error instanceof Mismatch ? error.message : describeFault(error))
  }
}

/** Describes a deployment that cannot be reached, or a mistake of this program, with its line. Both fail the row. */
function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : ''
  const line = /\n +at .*?([\w-]+\.ts:\d+)/.exec(error.stack ?? '')?.[1]
  return `${error.message}${cause}${line ? ` (${line})` : ''}`
}

export function splitName(name: string): { id: string; words: string } {
  const [id = '', words = ''] = name.split(/: (.*)/s)
  return { id, words }
}

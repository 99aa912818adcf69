import { AREAS } from './areas/index.ts'
import type { Deployment } from './deployment.ts'
import type { Area, Row, RowResult } from './row.ts'
import { Mismatch, NotShown } from './shown.ts'
import { openStage, type Stage, startAhead } from './stage.ts'

/** Every row of the contract, one after the other. Each has a result, whatever happens. */
export async function runContract(
  deployment: Deployment,
  onResult: (result: RowResult) => void = () => undefined,
): Promise<RowResult[]> {
  const stage = openStage(deployment)
  await assertAnswers(stage)
  startAhead(stage)
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
    for (const row of rows) {
      const result = await showRow(stage, title, row)
      results.push(result)
      onResult(result)
    }
  }
  return results
}

/** Nothing else is worth asking when nobody is there. */
async function assertAnswers({ call, deployment }: Stage): Promise<void> {
  await call('GET', '/healthz').catch((error: unknown) => {
    const { origin } = deployment.baseUrl
    throw new Error(`${origin} does not answer. Start it with npm run dev, or say where it is: --base-url`, {
      cause: error,
    })
  })
}

async function showRow(stage: Stage, area: string, { id, words, show }: Row): Promise<RowResult> {
  const startedAt = Date.now()
  const toResult = (outcome: RowResult['outcome'], detail: string): RowResult => {
    return { area, id, words, outcome, ok: outcome === 'passed', detail, duration_ms: Date.now() - startedAt }
  }
  try {
    return toResult('passed', await show(stage))
  } catch (error) {
    if (error instanceof NotShown) return toResult('not_shown', error.message)
    return toResult('failed', error instanceof Mismatch ? error.message : describeFault(error))
  }
}

/** A deployment that cannot be reached, or a mistake of this program: both fail the row, and the place is worth knowing. */
function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : ''
  const place = /\n +at .*?([\w-]+\.ts:\d+)/.exec(error.stack ?? '')?.[1]
  return `${error.message}${cause}${place ? ` (${place})` : ''}`
}

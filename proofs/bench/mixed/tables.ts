/** The measurements as tables of docs/proof.md. */

import { latencyOf } from '../../../rig/load.ts'
import { markdownTable, quantile, round } from '../../../rig/statistics.ts'
import type { Alone } from './alone.ts'
import { PARTS } from './parts.ts'
import type { Step } from './step.ts'

export function tableOfSteps(steps: readonly Step[]): string {
  const head = ['Offered a second', 'Answered', 'In time', 'p50 ms', 'p99 ms', 'Errors', 'Busy', 'Ready jobs, most']
  const cpu = ['API', 'Worker', 'PostgreSQL', 'Web', 'Generator', 'Machine', 'Against it']
  const rows = steps.map((step) => [
    step.offeredPerSecond,
    step.reachedPerSecond,
    `${round(step.answeredShare * 100, 1)} %`,
    step.p50Ms,
    step.p99Ms,
    step.errors,
    step.busy,
    Math.max(0, ...step.ready),
    ...Object.values(step.cpuMsPerRequest),
    `${Math.round(step.machineBusyShare * 100)} %`,
    step.objections.join(', '),
  ])
  return markdownTable([...head, ...cpu], rows)
}

export function tableOfCores({ cores }: Step): string {
  return markdownTable(
    ['Process', 'Cores'],
    cores.map(({ name, share }) => [name, share]),
  )
}

/** Times from the mix, costs from each part alone. */
export function tableOfParts(step: Step, { idle, parts }: Alone): string {
  const head = ['Part', 'Share', 'p50 ms', 'p99 ms', 'API', 'Worker', 'PostgreSQL']
  const shares = PARTS.reduce((sum, { share }) => sum + share, 0)
  const rows = parts.map((cost) => {
    const part = PARTS.find(({ name }) => name === cost.name)
    const latencies = step.sent.flatMap((each) =>
      each.request.part === part && each.fate === 'right' ? latencyOf(each) : [],
    )
    const times = [0.5, 0.99].map((share) => (latencies.length > 0 ? round(quantile(latencies, share)) : ''))
    const share = part ? `${round((part.share / shares) * 100, 1)} %` : ''
    return [cost.name, share, ...times, cost.api, cost.worker, cost.postgres]
  })
  return markdownTable(head, [...rows, ['nothing, a second', '', '', '', idle.api, idle.worker, idle.postgres]])
}

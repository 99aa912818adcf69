/** The measurements as tables. */

import { latencyOf } from '../../../rig/load.ts'
import { markdownTable, quantile, round } from '../../../rig/statistics.ts'
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

export function tableOfParts({ sent }: Step): string {
  const shares = PARTS.reduce((sum, { share }) => sum + share, 0)
  const rows = PARTS.map((part) => {
    const latencies = sent.flatMap((each) =>
      each.request.part === part && each.fate === 'right' ? latencyOf(each) : [],
    )
    const times = [0.5, 0.99].map((share) => (latencies.length > 0 ? round(quantile(latencies, share)) : ''))
    return [part.name, `${round((part.share / shares) * 100, 1)} %`, ...times]
  })
  return markdownTable(['Part', 'Share', 'p50 ms', 'p99 ms'], rows)
}

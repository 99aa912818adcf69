import type { Profiler } from 'node:inspector'

/** Milliseconds of CPU by part of the process. */
export type PartTimes = Record<string, number>

/** The first that fits names the part; a function of Node's core belongs to the part that called it. */
const PARTS: ReadonlyArray<readonly [part: string, file: RegExp]> = [
  ['PostgreSQL client', /node_modules\/(pg|pg-[a-z]+|postgres-[a-z]+)\//],
  ['validation and JSON by schema', /node_modules\/(zod|fastify-type-provider-zod)\//],
  ['log', /node_modules\/(pino|sonic-boom|thread-stream)\//],
  ['metrics', /node_modules\/prom-client\//],
  ['Fastify and its plugins', /node_modules\//],
  ['keys and secrets', /src\/(accounts|lib\/secrets)/],
  ['rate limit', /src\/lib\/limits\//],
  ['known answers', /src\/(resolution|resolver|lib\/db|lib\/kept-texts|entry\/api)/],
  ['hooks, headers and ids', /src\//],
]

/** For what the event loop calls directly. */
const CORE_PARTS: typeof PARTS = [
  ['HTTP of Node', /^node:(_http|internal\/http)/],
  ['sockets and streams of Node', /^node:(net|stream|internal\/(streams|stream_base_commons|js_stream))/],
]

/** Sums a CPU profile's own time by part. */
export function sumByPart({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): PartTimes {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)))
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const partOf = (id: number | undefined): string => {
    const node = id === undefined ? undefined : byId.get(id)
    if (!node) return 'event loop'
    const { functionName, url } = node.callFrame
    if (functionName === '(idle)' || functionName === '(program)' || functionName === '(garbage collector)') {
      return functionName.slice(1, -1)
    }
    const named = PARTS.find(([, file]) => file.test(url))?.[0]
    if (named) return named
    const above = partOf(parents.get(node.id))
    return above === 'event loop' ? (CORE_PARTS.find(([, file]) => file.test(url))?.[0] ?? above) : above
  }
  const sums: PartTimes = {}
  for (const [index, id] of samples.entries()) {
    const part = partOf(id)
    sums[part] = (sums[part] ?? 0) + (timeDeltas[index] ?? 0) / 1_000
  }
  return sums
}

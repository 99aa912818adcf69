const FAILURES_KEPT = 40

/** Lines of a log that say that something went wrong, out of whatever chunks it comes in. */
export function watchLog(): { onLog: (chunk: Buffer) => void; failures: string[]; failureCount: () => number } {
  const failures: string[] = []
  let count = 0
  let rest = ''
  const onLog = (chunk: Buffer) => {
    const lines = (rest + chunk.toString('utf8')).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (!/"level":"?(?:error|fatal|50|60)\b/.test(line)) continue
      count += 1
      if (failures.length < FAILURES_KEPT) failures.push(line)
    }
  }
  return { onLog, failures, failureCount: () => count }
}

import type { ServerContext } from '@modelcontextprotocol/server'

/** Reports to the client what is happening, and for how long it has. */
export type Report = (seconds: number, message: string) => Promise<void>

/** Null unless the client asked for progress. */
export function reportTo({ mcpReq }: ServerContext): Report | null {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return null
  let last = -1
  return async (seconds, message) => {
    // The protocol wants each value above the one before.
    if (seconds <= last) return
    last = seconds
    try {
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken, progress: seconds, message },
      })
    } catch {
      // The client has gone. The signal of the call says so too, and ends what is being waited for.
    }
  }
}

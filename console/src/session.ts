/** Who is signed in here. The site's cookie proves it; what the API is shown is a short-lived token kept in memory only. */
export interface ConsoleSession {
  token: string
  expires_at: string
  api_url: string
  mcp_url: string
  demo_domains: string[]
  development_pages: Array<{ name: string; url: string }>
}

let current: ConsoleSession | null = null
let opening: Promise<ConsoleSession> | null = null

/** A little before its end, so that a request under way is not cut off. */
const SPARE_MS = 30_000

export async function getSession(): Promise<ConsoleSession> {
  if (current && Date.parse(current.expires_at) - SPARE_MS > Date.now()) return current
  opening ??= openSession().finally(() => {
    opening = null
  })
  return opening
}

export function forgetSession(): void {
  current = null
}

/** After a change of the password the cookie is dead; this fresh token of the API takes its place. */
export async function keepSession(token: string): Promise<void> {
  current = null
  opening = openSession({ headers: { 'content-type': 'application/json' }, body: JSON.stringify({ token }) }).finally(
    () => {
      opening = null
    },
  )
  await opening
}

async function openSession(renewal: RequestInit = {}): Promise<ConsoleSession> {
  const answer = await fetch('/console/session', { method: 'POST', ...renewal })
  if (answer.status === 401) return goToSignIn()
  if (!answer.ok) throw new Error('The console could not reach its server. Check the connection and try again.')
  current = (await answer.json()) as ConsoleSession
  return current
}

function goToSignIn(): Promise<never> {
  const next = encodeURIComponent(location.pathname + location.search)
  location.assign(`/sign-in?next=${next}`)
  return new Promise(() => undefined)
}

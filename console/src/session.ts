/** The signed-in session. The site's cookie proves it; calls to the API use a short-lived token that is only in memory. */
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

/** Renews a little early, so that no running request loses its session.  */
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

/** Opens a session with a new token of the API, because a password change ends the cookie. */
export async function renewSession(token: string): Promise<void> {
  current = null
  opening = openSession({ headers: { 'content-type': 'application/json' }, body: JSON.stringify({ token }) }).finally(
    () => {
      opening = null
    },
  )
  await opening
}

async function openSession(renewal: RequestInit = {}): Promise<ConsoleSession> {
  const response = await fetch('/console/session', { method: 'POST', ...renewal })
  if (response.status === 401) return goToSignIn()
  if (!response.ok) throw new Error('The console cannot reach the server. Check your connection and try again.')
  current = (await response.json()) as ConsoleSession
  return current
}

function goToSignIn(): Promise<never> {
  const next = encodeURIComponent(location.pathname + location.search)
  location.assign(`/sign-in?next=${next}`)
  return new Promise(() => undefined)
}

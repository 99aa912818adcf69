/** The public status page: the parts of the service as they are now, and what the operator says about trouble. */
import type { App } from '../../app.ts'
import { type Incident, listIncidents } from '../../incidents/index.ts'
import { BriefCache } from '../../lib/brief-cache.ts'
import { type Html, html } from '../../lib/text/html.ts'
import { readFreshness } from '../../register/index.ts'
import { countRecentReadings } from '../../resolution/index.ts'
import { readPace } from '../../webhooks/index.ts'
import type { Server } from '../http/instance.ts'
import { sendPage } from './layout.ts'
import { formatDay, formatMoment } from './london-time.ts'

const KEPT_MS = 15_000

export function statusPageRoutes(app: App, server: Server): void {
  const state = new BriefCache({ keptMs: KEPT_MS, load: () => readState(app) })
  server.get('/status', async (_request, reply) => {
    const { components, incidents } = await state.get()
    return sendPage(reply.header('cache-control', 'public, max-age=15'), {
      title: 'Status',
      description: 'The parts of the service as they are now, the freshness of the register, and incidents.',
      body: show(components, incidents),
    })
  })
}

interface Component {
  name: string
  /** Null where there is too little to say. */
  isWell: boolean | null
  says: string
}

const LAG_SECONDS_MAX = 3_600
const SNAPSHOT_DAYS_MAX = 45
const READINGS_MIN = 20
const UNREAD_SHARE_MAX = 0.4

async function readState(app: App): Promise<{ components: Component[]; incidents: Incident[] }> {
  const now = app.clock.now()
  const [freshness, readings, backlog, incidents] = await Promise.all([
    readFreshness(app),
    countRecentReadings(app.db, now),
    readPace(app.db, now),
    listIncidents(app),
  ])
  const components: Component[] = [
    { name: 'Web site and API', isWell: true, says: 'They answer: this page comes from them.' },
    describeRegister(freshness, now),
    describeReadings(readings),
    {
      name: 'Webhooks',
      isWell: backlog.isMoving,
      says: backlog.isMoving ? 'Deliveries go out as they come.' : 'Deliveries are late.',
    },
  ]
  return { components, incidents }
}

function describeRegister({ streams, snapshot }: Awaited<ReturnType<typeof readFreshness>>, now: Date): Component {
  const name = 'Register'
  if (!snapshot) return { name, isWell: null, says: 'The register has not been loaded yet.' }
  const companies = `${snapshot.rows.toLocaleString('en-GB')} companies, whole file of ${snapshot.asOf ?? formatDay(snapshot.finishedAt)}`
  const known = streams.filter(({ lagSeconds }) => lagSeconds !== null)
  const lag = Math.max(0, ...known.map(({ lagSeconds }) => lagSeconds ?? 0))
  const isOld = now.getTime() - snapshot.finishedAt.getTime() > SNAPSHOT_DAYS_MAX * 86_400_000
  if (known.length === 0) {
    return { name, isWell: isOld ? false : null, says: `${companies}. Changes since then are not followed.` }
  }
  const isLate = lag > LAG_SECONDS_MAX || streams.some(({ gapSince }) => gapSince !== null)
  const behind = lag < 120 ? 'less than two minutes' : `${Math.round(lag / 60)} minutes`
  return { name, isWell: !isLate && !isOld, says: `${companies}. Changes arrive ${behind} after they are published.` }
}

function describeReadings({ sites, unread, overdue }: { sites: number; unread: number; overdue: number }): Component {
  const name = 'Reading web sites'
  if (overdue > 0) return { name, isWell: false, says: 'Requests wait longer than usual.' }
  if (sites < READINGS_MIN) return { name, isWell: null, says: 'Few sites were asked for in the last hour.' }
  const share = unread / sites
  const percent = Math.round((1 - share) * 100)
  return {
    name,
    isWell: share < UNREAD_SHARE_MAX,
    says: `${percent}% of the sites asked for in the last hour could be read. Some sites refuse all programs.`,
  }
}

function show(components: readonly Component[], incidents: readonly Incident[]): Html {
  const open = incidents.filter(({ endedAt }) => endedAt === null)
  const isWell = open.length === 0 && components.every((component) => component.isWell !== false)
  const past = incidents.filter(({ endedAt }) => endedAt !== null)
  return html`<div class="stack">
    <h1>Status</h1>
    <p class="note ${isWell ? 'good' : 'warn'}" role="status"><strong>${isWell ? 'All systems operational.' : open.length > 0 ? 'There is an incident.' : 'Some systems are degraded.'}</strong></p>
    ${open.map(showIncident)}
    <section class="card"><h2 class="visually-hidden">Components</h2><ul class="list close">${components.map(showComponent)}</ul></section>
    <section class="stack-small"><h2>Past incidents</h2>${past.length === 0 ? html`<p class="soft">None in the last 90 days.</p>` : past.map(showIncident)}</section>
    <p class="soft small">Programs read <a href="/docs/api">GET /v1/status</a>.</p>
  </div>`
}

const WORDS = new Map<boolean | null, readonly [string, string]>([
  [true, ['good', 'Operational']],
  [false, ['bad', 'Degraded']],
  [null, ['neutral', 'No data']],
])

function showComponent({ name, isWell, says }: Component): Html {
  const [tone = 'neutral', word = ''] = WORDS.get(isWell) ?? []
  return html`<li class="row"><span class="grow"><strong>${name}</strong><br /><span class="soft small">${says}</span></span><span class="badge ${tone}">${word}</span></li>`
}

function showIncident({ title, startedAt, endedAt, updates }: Incident): Html {
  const badge = endedAt ? html`<span class="badge good">Resolved</span>` : html`<span class="badge warn">Open</span>`
  return html`<section class="card"><header><h2>${title}</h2>${badge}</header>
    <ul class="list close">${updates.map(({ says, createdAt }) => html`<li>${says}<br /><span class="soft small">${formatMoment(createdAt)}</span></li>`)}</ul>
    <p class="soft small">From ${formatMoment(startedAt)}${endedAt ? ` to ${formatMoment(endedAt)}` : ''}.</p></section>`
}

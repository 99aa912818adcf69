import { WELCOME_CREDITS } from '../../../accounts/index.ts'
import type { App } from '../../../app.ts'
import { BriefCache } from '../../../lib/brief-cache.ts'
import { icon } from '../../../lib/design/icons.ts'
import { Html, html } from '../../../lib/text/html.ts'
import { findExample } from '../../../resolution/index.ts'
import { originOf } from '../../http/caller.ts'
import type { Server } from '../../http/instance.ts'
import { sendPage } from '../layout.ts'
import { findSignedIn } from '../session.ts'
import { openExample, type ShownExample, showExample } from './example.ts'
import { sectionsOf } from './sections.ts'

const TITLE = 'Which UK company is behind this domain?'
const DESCRIPTION =
  'Nameplate finds the UK registered company behind a web domain and proves it: the sentence, the page, the time, and how sure it is. One credit per match, everything else is free.'
const DOMAIN_LENGTH_MAX = 253
/** A new answer is shown after this at the latest. */
const FIRST_KEPT_MS = 2_000

/** The landing page: it answers the question with an example before it says anything else. */
export function homeRoutes(app: App, server: Server): void {
  const sections = sectionsOf(app)
  const first = new BriefCache({ keptMs: FIRST_KEPT_MS, load: () => findFirst(app) })

  server.get('/', async (request, reply) => {
    const domain = readDomain(request.query)
    const [shown, account] = await Promise.all([
      domain === '' ? first.get() : openExample(app, { domain, origin: originOf(request) }),
      findSignedIn(app, request),
    ]).catch((error: unknown) => {
      // The page says what we do, also while the database is away.
      app.log.warn({ event: 'landing.without_example', error })
      return [null, null] as const
    })
    return sendPage(reply, {
      title: TITLE,
      description: DESCRIPTION,
      width: 'full',
      hasScript: true,
      head: headOf(app),
      ...(account ? { signedInAs: account.email } : {}),
      body: html`${hero(app, shown)}${sections}`,
    })
  })

  /** The card alone, for the page's script. */
  server.get('/try', async (request, reply) => {
    const shown = await openExample(app, { domain: readDomain(request.query), origin: originOf(request) })
    return reply.type('text/html; charset=utf-8').send(showExample(shown).markup)
  })
}

function readDomain(query: unknown): string {
  const { domain } = query as { domain?: unknown }
  return typeof domain === 'string' ? domain.slice(0, DOMAIN_LENGTH_MAX) : ''
}

/** Every visitor sees the first example, so it is looked up once for all and counts against no address. */
async function findFirst(app: App): Promise<ShownExample | null> {
  const [domain] = app.config.demoDomains
  const example = domain === undefined ? null : await findExample(app, domain)
  return example && { kind: 'answer', example }
}

function hero({ config: { demoDomains } }: App, shown: ShownExample | null): Html {
  const isOffered = shown !== null
  const asked = shown?.kind === 'answer' ? shown.example.domain : ''
  const form = html`
    <form class="try" action="/#answer" method="get">
      <label for="try-domain">Pick an example domain</label>
      <div class="row">
        <input class="grow" id="try-domain" name="domain" list="examples" value="${asked}" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="${DOMAIN_LENGTH_MAX}" required />
        <datalist id="examples">${demoDomains.map((domain) => html`<option value="${domain}"></option>`)}</datalist>
        <button class="button large">Show the proof</button>
      </div>
      <p class="examples small">${demoDomains.map((domain) => html`<a href="/?domain=${domain}#answer">${domain}</a>`)}</p>
    </form>`
  return html`
    <section class="hero"><div>
      <div class="words">
        <h1>${TITLE}</h1>
        <p class="lead">Nameplate reads the site, compares it with the UK register and answers with proof: the company, the sentence that names it, the page and the time. If the proof is not there, it says so.</p>
        ${isOffered && form}
        <p class="row"><a class="button${isOffered ? ' quiet' : ''} large" href="/sign-up">Start free ${icon('arrow-right')}</a><span class="soft small">${WELCOME_CREDITS} matches free. One credit per match, everything else costs nothing.</span></p>
      </div>
      <div class="answer" aria-live="polite">${shown ? showExample(shown) : PICTURE}</div>
    </div></section>`
}

/** The real screen, where no example is offered. */
const PICTURE = html`<img class="screen" src="/assets/answer-light.webp" alt="The answer for a domain: the company, a checklist, and the quoted sentence with its page and time." width="1200" height="860" />`

/** Returns the part of the head that search engines and previews of links read. */
function headOf({ config: { siteUrl } }: App): Html {
  const data = JSON.stringify({
    '@context': 'https://schema.org',
    '@type': 'SoftwareApplication',
    name: 'Nameplate',
    url: siteUrl.origin,
    description: DESCRIPTION,
    applicationCategory: 'BusinessApplication',
    operatingSystem: 'Any',
  }).replaceAll('<', String.raw`\u003c`)
  return html`<link rel="canonical" href="${siteUrl.origin}/" />
    <meta property="og:type" content="website" />
    <meta property="og:url" content="${siteUrl.origin}/" />
    <meta property="og:image" content="${siteUrl.origin}/assets/card.jpg" />
    <meta name="twitter:card" content="summary_large_image" />
    <script type="application/ld+json">${new Html(data)}</script>`
}

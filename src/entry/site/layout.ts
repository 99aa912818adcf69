import type { FastifyReply } from 'fastify'
import type { App } from '../../app.ts'
import { DomainError, type ErrorCode } from '../../errors.ts'
import { MARK } from '../../lib/design/mark.ts'
import { type Html, html } from '../../lib/text/html.ts'
import { ERRORS } from '../http/errors.ts'
import { SCRIPT_PATH, STYLE_PATH } from './assets.ts'

const PAGE_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "frame-ancestors 'none'",
]
const SCRIPT_POLICY = ["script-src 'self'", "connect-src 'self'"]

export interface Page {
  title: string
  body: Html
  status?: number
  /** False where a form leads on to another site, which browsers would hold against the policy. */
  formAction?: false
  signedInAs?: string
  /** `wide` has a menu beside its text; `full` has bands over the whole window. */
  width?: 'wide' | 'full'
  /** For search engines and previews of links. */
  description?: string
  /** More for the head of the page. */
  head?: Html
  /** Our own script makes the page easier to use; it works without. */
  hasScript?: boolean
  /** The part of the site that the menu marks. */
  section?: (typeof MENU)[number]['section']
}

/** A whole page of the site: HTML that works without a script. */
export function sendPage(reply: FastifyReply, page: Page): FastifyReply {
  return reply
    .code(page.status ?? 200)
    .header('content-security-policy', policyOf(page))
    .type('text/html; charset=utf-8')
    .send(renderPage(page).markup)
}

export function policyOf({ hasScript, formAction }: Pick<Page, 'hasScript' | 'formAction'>): string {
  const policy = [
    ...PAGE_POLICY,
    ...(hasScript ? SCRIPT_POLICY : []),
    ...(formAction === false ? [] : ["form-action 'self'"]),
  ]
  return policy.join('; ')
}

export function renderPage(page: Omit<Page, 'status' | 'formAction'>): Html {
  const { title, description, head, hasScript, width } = page
  return html`<!doctype html>
<html lang="en-GB">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${title} · Nameplate</title>
    ${description && html`<meta name="description" content="${description}" /><meta property="og:description" content="${description}" />`}
    <meta property="og:title" content="${title}" />
    <meta property="og:site_name" content="Nameplate" />
    ${head}
    <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
    <link rel="preload" href="/assets/inter-latin.woff2" as="font" type="font/woff2" crossorigin />
    <link rel="stylesheet" href="${STYLE_PATH}" />
    ${hasScript && SCRIPT_PATH && html`<script type="module" src="${SCRIPT_PATH}"></script>`}
  </head>
  <body>
    <a class="skip" href="#main">Skip to content</a>
    ${siteHead(page)}
    <main id="main" class="site-main${width ? ` ${width}` : ''}">${page.body}</main>
    ${SITE_FOOT}
  </body>
</html>
`
}

const MENU = [
  { section: 'docs', name: 'Docs', href: '/docs' },
  { section: 'api', name: 'API', href: '/docs/api' },
  { section: 'accuracy', name: 'Accuracy', href: '/docs/accuracy' },
  { section: 'pricing', name: 'Pricing', href: '/pricing' },
] as const

function siteHead({ signedInAs, section }: Pick<Page, 'signedInAs' | 'section'>): Html {
  const own = signedInAs
    ? html`<a href="/account">Account</a><a class="button small" href="/console">Console</a>`
    : html`<a href="/sign-in">Sign in</a><a class="button small" href="/sign-up">Start free</a>`
  const item = ({ section: name, name: words, href }: (typeof MENU)[number]) =>
    html`<a href="${href}"${name === section && html` aria-current="true"`}>${words}</a>`
  return html`<header class="site-head"><div>
      <a class="brand" href="/">${MARK}Nameplate</a>
      <nav aria-label="Site">${MENU.map(item)}</nav>
      <nav aria-label="Account">${own}</nav>
    </div></header>`
}

const FOOT: ReadonlyArray<{ name: string; links: ReadonlyArray<readonly [href: string, words: string]> }> = [
  {
    name: 'Product',
    links: [
      ['/#how', 'How it works'],
      ['/docs/accuracy', 'Accuracy'],
      ['/pricing', 'Pricing'],
      ['/status', 'Status'],
      ['/docs/changelog', 'Changelog'],
    ],
  },
  {
    name: 'Developers',
    links: [
      ['/docs', 'Documentation'],
      ['/docs/api', 'API reference'],
      ['/docs/agents#clients', 'Clients'],
      ['/docs/agents', 'Agents (MCP)'],
      ['/docs/self-hosting', 'Run it yourself'],
    ],
  },
  {
    name: 'Trust',
    links: [
      ['/docs/security', 'Security'],
      ['/docs/data-protection', 'Data protection'],
      ['/privacy', 'Privacy notice'],
      ['/terms', 'Terms'],
      ['/bot', 'NameplateBot'],
    ],
  },
]

const SITE_FOOT = html`<footer class="site-foot"><div>
      <div><a class="brand" href="/">${MARK}Nameplate</a><p>Which UK registered company is behind a web domain, with proof. Register data: Companies House, under the Open Government Licence v3.0.</p></div>
      ${FOOT.map(
        ({ name, links }) =>
          html`<nav aria-label="${name}"><h2>${name}</h2><ul>${links.map(([href, words]) => html`<li><a href="${href}">${words}</a></li>`)}</ul></nav>`,
      )}
    </div></footer>`

/** The message above the form of a page. */
export interface Notice {
  done?: string
  problem?: string
  /** The error code behind the problem. */
  code?: ErrorCode
  status?: number
}

/** A refusal is shown above the form that caused it. */
export async function answerForm(
  work: () => Promise<FastifyReply>,
  refuse: (refusal: { problem: string; code: ErrorCode; status: number }) => FastifyReply,
): Promise<FastifyReply> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return refuse({ problem: error.message, code: error.code, status: ERRORS[error.code].status })
  }
}

export function notice(page: Notice): Html | null {
  if (page.problem) return html`<p role="alert" class="note bad">${page.problem}</p>`
  return page.done ? html`<p role="status" class="note good">${page.done}</p>` : null
}

/** To where a developer finds the e-mails of a service that sends them nowhere. */
export function mailboxLink({ config }: App): Html | null {
  const mailbox = config.developmentPages.find(({ name }) => name === 'Mailbox')
  return mailbox
    ? html`<p class="soft">This service runs for development: its e-mails are in the <a href="${mailbox.url}">mailbox</a>.</p>`
    : null
}

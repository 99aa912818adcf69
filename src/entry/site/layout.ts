import type { FastifyReply } from 'fastify'
import type { App } from '../../app.ts'
import { DomainError, type ErrorCode } from '../../errors.ts'
import { Html, html } from '../../lib/text/html.ts'
import { ERRORS } from '../http/errors.ts'

const PAGE_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "frame-ancestors 'none'",
]

interface Page {
  title: string
  body: Html
  status?: number
  /** False where a form leads on to another site, which browsers would hold against the policy. */
  formAction?: false
  signedInAs?: string
  /** Has a menu beside its text. */
  isWide?: true
}

/** A whole page of the site: plain HTML that needs no script. */
export function sendPage(reply: FastifyReply, page: Page): FastifyReply {
  const policy = page.formAction === false ? PAGE_POLICY : [...PAGE_POLICY, "form-action 'self'"]
  return reply
    .code(page.status ?? 200)
    .header('content-security-policy', policy.join('; '))
    .type('text/html; charset=utf-8')
    .send(renderPage(page).markup)
}

export function renderPage(page: Pick<Page, 'title' | 'body' | 'signedInAs' | 'isWide'>): Html {
  const own = page.signedInAs
    ? html`<a href="/console">Console</a><a href="/account">Account</a>`
    : html`<a href="/sign-in">Sign in</a>`
  return html`<!doctype html>
<html lang="en-GB">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${page.title} · Nameplate</title>
    <link rel="icon" href="/assets/icon.svg" />
    <link rel="stylesheet" href="/assets/site.css" />
  </head>
  <body>
    <header><a class="brand" href="/">Nameplate</a><nav aria-label="Site"><a href="/docs">Docs</a><a href="/docs/api">API</a>${own}</nav></header>
    <main${page.isWide && new Html(' class="wide"')}>${page.body}</main>
  </body>
</html>
`
}

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
  if (page.problem) return html`<p role="alert" class="bad">${page.problem}</p>`
  return page.done ? html`<p role="status" class="good">${page.done}</p>` : null
}

export const STYLES = `
:root { color-scheme: light dark; --ink: #1c1917; --soft: #57534e; --line: #e7e5e4; --paper: #fafaf9; --card: #ffffff; --accent: #14532d; --on-accent: #ffffff; --good: #166534; --bad: #991b1b; }
@media (prefers-color-scheme: dark) { :root { --ink: #f5f5f4; --soft: #a8a29e; --line: #44403c; --paper: #1c1917; --card: #292524; --accent: #86efac; --on-accent: #052e16; --good: #86efac; --bad: #fca5a5; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 17px/1.6 system-ui, sans-serif; }
header { display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; align-items: baseline; justify-content: space-between; padding: 1rem max(1rem, calc(50vw - 23rem)); border-bottom: 1px solid var(--line); }
nav { display: flex; gap: 1.25rem; }
a { color: var(--accent); text-underline-offset: 0.2em; }
.brand { font-weight: 700; text-decoration: none; letter-spacing: 0.01em; }
main { max-width: 48rem; margin: 0 auto; padding: 2.5rem 1rem 4rem; }
h1 { font-size: 1.8rem; line-height: 1.25; margin: 0 0 1rem; }
h2 { font-size: 1.2rem; margin: 2rem 0 0.5rem; }
.narrow { max-width: 26rem; margin: 0 auto; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1.5rem; }
.soft { color: var(--soft); }
.good { color: var(--good); font-weight: 600; }
.bad { color: var(--bad); font-weight: 600; }
label { display: block; font-weight: 600; margin: 1rem 0 0.35rem; }
input { width: 100%; font: inherit; padding: 0.6rem 0.75rem; border: 1px solid var(--soft); border-radius: 8px; background: var(--paper); color: var(--ink); }
label.check { display: flex; gap: 0.6rem; align-items: baseline; font-weight: 400; }
label.check input { width: auto; }
section.narrow { margin-top: 1rem; }
.choices { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: end; }
ul { padding-left: 1.25rem; }
section.card { margin: 1rem 0; }
section.card h2 { margin-top: 0; }
button, .button { display: inline-block; text-decoration: none; font: inherit; font-weight: 600; margin-top: 1.25rem; padding: 0.6rem 1.25rem; border: 0; border-radius: 8px; background: var(--accent); color: var(--on-accent); cursor: pointer; }
button.quiet { background: transparent; color: var(--ink); box-shadow: inset 0 0 0 1px var(--soft); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
pre { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 1rem; overflow-x: auto; font-size: 0.85rem; }
code { font-family: ui-monospace, monospace; font-size: 0.9em; }
main.wide { max-width: 72rem; }
body:has(main.wide) header { padding-inline: max(1rem, calc(50vw - 35rem)); }
.docs { display: grid; grid-template-columns: 13rem minmax(0, 1fr); gap: 3rem; }
.docs nav { display: block; font-size: 0.92rem; position: sticky; top: 1rem; align-self: start; }
.docs nav p { margin: 1rem 0 0.2rem; color: var(--soft); font-size: 0.85rem; }
.docs nav p:first-child { margin-top: 0; }
.docs nav ul { list-style: none; margin: 0; padding: 0; }
.docs nav a { display: block; padding: 0.15rem 0; color: var(--ink); text-decoration: none; }
.docs nav a:hover { text-decoration: underline; }
.docs nav a[aria-current] { color: var(--accent); font-weight: 600; }
.docs article { max-width: 46rem; min-width: 0; overflow-wrap: anywhere; }
.docs article a { overflow-wrap: anywhere; }
.docs .table { overflow-x: auto; margin: 1rem 0; }
.docs .table :is(th, td) { overflow-wrap: break-word; }
.docs .right { text-align: right; }
.docs .center { text-align: center; }
.docs .pages { list-style: none; padding: 0; }
.docs .pages li { margin: 0.6rem 0; }
@media (max-width: 52rem) { .docs { grid-template-columns: minmax(0, 1fr); gap: 1rem; } .docs nav { position: static; border-top: 1px solid var(--line); order: 2; } }
table { border-collapse: collapse; width: 100%; }
th, td { overflow-wrap: anywhere; text-align: left; padding: 0.45rem 0.75rem 0.45rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
`

/** To where a developer finds the e-mails of a service that sends them nowhere. */
export function mailboxLink({ config }: App): Html | null {
  const mailbox = config.developmentPages.find(({ name }) => name === 'Mailbox')
  return mailbox
    ? html`<p class="soft">This service runs for development: its e-mails are in the <a href="${mailbox.url}">mailbox</a>.</p>`
    : null
}

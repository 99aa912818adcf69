import { themeOf } from '../design/palette.ts'
import { Html, html } from './html.ts'

export interface EmailContent {
  subject: string
  text: string
  html: string
}

/** `markup` replaces `text` where HTML is shown. */
export type Paragraph = string | { link: string; label: string } | { text: string; markup: Html }

const light = themeOf('light')
const dark = themeOf('dark')
const FONT = "font-family:Inter,system-ui,-apple-system,'Segoe UI',Roboto,sans-serif"

// Styles are in every element, because many mail programs drop style sheets. Those that keep them also show the dark theme.
const STYLE = {
  page: `margin:0;padding:24px 12px;background:${light.paper};color:${light.ink};${FONT};font-size:16px;line-height:1.55`,
  card: `max-width:560px;margin:0 auto;padding:28px 32px;background:${light.card};border:1px solid ${light.line};border-radius:12px`,
  brand: `margin:0 0 20px;font-size:17px;font-weight:700;color:${light.brand};text-decoration:none`,
  button: `display:inline-block;padding:11px 20px;border-radius:8px;background:${light.brand};color:${light['on-brand']};font-weight:600;text-decoration:none`,
  paragraph: 'margin:0 0 16px',
  foot: `max-width:560px;margin:16px auto 0;padding:0 32px;color:${light.soft};font-size:13px`,
}

const DARK = `@media (prefers-color-scheme: dark) {
  .np-page { background: ${dark.paper} !important; color: ${dark.ink} !important }
  .np-card { background: ${dark.card} !important; border-color: ${dark.line} !important }
  .np-brand { color: ${dark.brand} !important }
  .np-button { background: ${dark.brand} !important; color: ${dark['on-brand']} !important }
  .np-soft { color: ${dark.soft} !important }
  .np-bad { color: ${dark.bad} !important }
  .np-warn { color: ${dark.warn} !important }
  .np-info { color: ${dark.info} !important }
}`

/** The colour of a text in an e-mail, in both themes: attributes for an element. */
export function colourIn(name: 'soft' | 'bad' | 'warn' | 'info', style = ''): Html {
  return html`class="np-${name}" style="color:${light[name]};${style}"`
}

/** Subject and both bodies from paragraphs; a link alone in its paragraph becomes a button. */
export function composeEmail(email: { subject: string; paragraphs: readonly Paragraph[] }): EmailContent {
  const text = email.paragraphs.map(toText)
  const page = html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${email.subject}</title>
    <style>${new Html(DARK)}</style>
  </head>
  <body class="np-page" style="${STYLE.page}">
    <div class="np-card" style="${STYLE.card}">
      <p class="np-brand" style="${STYLE.brand}">Nameplate</p>
      ${email.paragraphs.map(toHtml)}
    </div>
    <p class="np-soft" style="${STYLE.foot}">Nameplate: which UK company is behind a web domain, with proof.</p>
  </body>
</html>
`
  return { subject: email.subject, text: `${text.join('\n\n')}\n\nNameplate\n`, html: page.markup }
}

function toText(paragraph: Paragraph): string {
  if (typeof paragraph === 'string') return paragraph
  return 'link' in paragraph ? paragraph.link : paragraph.text
}

function toHtml(paragraph: Paragraph): Html {
  if (typeof paragraph === 'string') return html`<p style="${STYLE.paragraph}">${paragraph}</p>`
  if ('markup' in paragraph) return paragraph.markup
  return html`<p style="margin:24px 0"><a href="${paragraph.link}" class="np-button" style="${STYLE.button}">${paragraph.label}</a></p>`
}

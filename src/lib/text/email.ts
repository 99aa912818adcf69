import { type Html, html } from './html.ts'

export interface EmailContent {
  subject: string
  text: string
  html: string
}

/** `markup` replaces `text` where HTML is shown. */
export type Paragraph = string | { link: string; label: string } | { text: string; markup: Html }

const BUTTON =
  'display:inline-block;padding:10px 18px;border-radius:6px;background:#14532d;color:#ffffff;text-decoration:none'
const BODY = 'font:16px/1.5 system-ui,sans-serif;max-width:34em;margin:2em auto;padding:0 1em;color:#1c1917'

/** Subject and both bodies from paragraphs; a link alone in its paragraph becomes a button. */
export function composeEmail(email: { subject: string; paragraphs: readonly Paragraph[] }): EmailContent {
  const text = email.paragraphs.map(toText)
  const paragraphs = email.paragraphs.map(toHtml)
  const page = html`<!doctype html><html lang="en"><body style="${BODY}">${paragraphs}<p style="color:#78716c">Nameplate</p></body></html>`
  return { subject: email.subject, text: `${text.join('\n\n')}\n\nNameplate\n`, html: page.markup }
}

function toText(paragraph: Paragraph): string {
  if (typeof paragraph === 'string') return paragraph
  return 'link' in paragraph ? paragraph.link : paragraph.text
}

function toHtml(paragraph: Paragraph): Html {
  if (typeof paragraph === 'string') return html`<p>${paragraph}</p>`
  if ('markup' in paragraph) return paragraph.markup
  return html`<p><a href="${paragraph.link}" style="${BUTTON}">${paragraph.label}</a></p>`
}

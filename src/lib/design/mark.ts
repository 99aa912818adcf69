import { Html } from '../text/html.ts'

const SHAPE = `<rect x="1" y="1" width="30" height="20" rx="5" fill="none" stroke="currentColor" stroke-width="2"/><path d="M8 15V7l6 8V7M19 8h6M19 11h6M19 14h4" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/>`

/** Our mark, in the colour of the text around it. */
export const MARK = new Html(`<svg viewBox="0 0 32 22" aria-hidden="true">${SHAPE}</svg>`)

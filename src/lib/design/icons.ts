import { Html } from '../text/html.ts'
import { ICON_SHAPES } from './icon-shapes.ts'

export type IconName = keyof typeof ICON_SHAPES

/** The icon as markup, in the colour and size of the text around it. */
export function icon(name: IconName): Html {
  return new Html(`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${ICON_SHAPES[name]}</svg>`)
}

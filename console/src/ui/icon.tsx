import { ICON_SHAPES } from '../../../src/lib/design/icon-shapes.ts'

/** An icon in the colour and size of the text around it. The text says the same. */
export function Icon({ name }: { name: keyof typeof ICON_SHAPES }) {
  // oxlint-disable-next-line react/no-danger -- our own drawings
  return (
    <svg
      className="icon"
      viewBox="0 0 24 24"
      aria-hidden="true"
      dangerouslySetInnerHTML={{ __html: ICON_SHAPES[name] }}
    />
  )
}

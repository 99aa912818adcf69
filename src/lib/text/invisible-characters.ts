/**
 * Characters that a person does not see and a program reads: they carry hidden instructions into what is quoted. Unicode's
 * own list holds tags, variation selectors, Hangul fillers, zero-width characters and the soft hyphen; directions and the
 * marks of annotations are added. A name with one of them inside stays one name.
 */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\u{e0000}-\u{e007f}\ufff9-\ufffb]/gv

export function withoutInvisible(text: string): string {
  return text.replaceAll(INVISIBLE, '')
}

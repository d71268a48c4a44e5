/** ISO 639-1 codes of the languages that browsers request. */
export const languageCodes: readonly string[] = (
  'af am ar az be bg bn bs ca cs cy da de el en eo es et eu fa fi fil fo fr fy ga gd gl gu he hi hr hu hy id is it ja ' +
  'ka kk km kn ko ku ky la lb lo lt lv mg mi mk ml mn mr ms mt my nb ne nl nn no pa pl ps pt qu rm ro ru rw sd si sk sl so sq ' +
  'sr sv sw ta te tg th tk tl tr tt ug uk ur uz vi wo xh yi yo zh zu'
).split(' ');

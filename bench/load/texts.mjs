/** Each of them is one token for the models with BERT's uncased vocabulary, so that the tokens of a text are known. */
const WORDS =
  'time year people way day man thing woman life child world school state family student group country problem hand part place case week company system program question work government number night point home water room mother area money story fact month lot right study book eye job word business issue side kind head house service friend father power hour game line end member law car city community name president team minute idea body information back parent face others level office door health person art war history party result change morning reason research girl guy moment air teacher force education foot boy age policy music market sense nation plan college interest death experience effect use class control field development role effort rate heart drug show leader light voice wife police mind price report decision son view relationship town road arm difference value building action season society tax director position player record paper space ground form event official matter center couple site project activity star table need court oil situation cost industry figure street image phone data picture practice piece land product doctor wall patient worker news test movie north love support technology'.split(
    ' ',
  );

/**
 * @param {number} words
 * @param {() => number} random
 */
export function text(words, random) {
  return Array.from({ length: words }, () => WORDS[Math.floor(random() * WORDS.length)]).join(' ');
}

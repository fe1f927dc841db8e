/**
 * A copy that has one hidden class with all such copies of objects with these members in this order. V8 gives what a
 * spread makes a class of its own at each place, so that states that many sessions reach on many ways look different to
 * compiled code, which is then thrown away and made anew. For what is read per delta, where it changes; the members must
 * not depend on values, hence no optional ones.
 */
export const oneShape = <Shape extends object>(value: Shape): Shape => Object.assign({}, value);

//! Groups as text: the canonical listing. [Rogue 14]
//!
//! ```text
//! line  = [cond " "] ["end "] ["atom "] ["olchk "] ["rpt" N " "] kind " { " op {"; " op} " } [" binds "]" [" pad" N]
//! cond  = "if(p0)" | "(ignorepe)" | "if(!p0)"
//! kind  = "main" | "bitwise" | "control"
//! binds = bind {", " bind} | ""       bind = name "=" value
//! ```
//!
//! What the listing of the guide leaves open is printed as: `movmsk.sm w0, sN`, `phas.reg sN, sN`, `sbo.shared N`,
//! `sbo.coeff N`, `ditr.pixel r0, drc0, cf0, 1, none, cf0`, `itrsmp2d.pixel r0, none, drc0, cf0, sh0, sh0, 4, 1, cf0`; a
//! coefficient of these with an index field is `cf0+1`.

pub(super) mod manual;
mod operations;
mod parse;
mod print;

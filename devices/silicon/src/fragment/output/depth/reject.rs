//! Tests before the shader that only reject, where those that count run after it (what the chips call re-Z).
//!
//! A sample may go only if the later test fails it too, also after all writes of waves before it, and if failing
//! changes nothing. Comparisons that keep an order pass no sample later that they fail now: each store moves the stored
//! depth away from it. A sample that only stencil fails is held back only where no sample changes stencil values.

use super::DepthOutput;
use crate::fragment::depth::{Compare, Depth};
use crate::fragment::stencil::{DepthStencil, Face};

impl DepthOutput {
    /// The tests that may reject samples before the shader runs, if there are any.
    pub(crate) fn rejecting_tests(&self) -> Option<DepthOutput> {
        if self.early || !self.may_reject || self.exports_depth {
            return None;
        }
        let faces = self.test.stencil.as_ref();
        let any = |is: fn(&Face) -> bool| faces.is_some_and(|faces| faces.iter().any(is));
        if any(Face::changes_on_failure) {
            return None;
        }
        let fixed = !self.exports_stencil && !any(Face::writes);
        let depth = self.test.depth.and_then(rejecting_depth);
        let stencil = self.test.stencil.filter(|_| fixed);
        let test = DepthStencil { depth, stencil };
        (depth.is_some() || stencil.is_some()).then(|| DepthOutput {
            test,
            stencil: self.stencil.clone().filter(|_| stencil.is_some()),
            rejecting: None,
            ..self.clone()
        })
    }
}

/// The test without its store. Bounds may let a sample pass after another one's store.
fn rejecting_depth(state: Depth) -> Option<Depth> {
    let bounds = state.bounds.filter(|_| !state.write);
    let decides = match state.compare {
        Compare::Always => bounds.is_some(),
        Compare::NotEqual => !state.write,
        _ => true,
    };
    decides.then_some(Depth {
        write: false,
        bounds,
        ..state
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fragment::depth::DepthFormat;
    use crate::fragment::stencil::StencilOp;

    /// Tests of a draw that run late.
    fn late(depth: Option<(Compare, bool)>, stencil: Option<Face>) -> DepthOutput {
        DepthOutput {
            test: DepthStencil {
                depth: depth.map(|(compare, write)| Depth {
                    format: DepthFormat::Float32,
                    compare,
                    write,
                    clamp: None,
                    bounds: None,
                }),
                stencil: stencil.map(|face| [Face::default(), face]),
            },
            may_reject: true,
            ..DepthOutput::default()
        }
    }

    fn face(ops: [StencilOp; 3], write_mask: u8) -> Option<Face> {
        let [fail, depth_fail, pass] = ops;
        Some(Face {
            compare: Compare::Equal,
            fail,
            depth_fail,
            pass,
            compare_mask: 255,
            write_mask,
            reference: 1,
        })
    }

    #[test]
    fn a_later_pass_is_never_rejected() {
        for compare in Compare::ALL {
            for write in [false, true] {
                let found = late(Some((compare, write)), None).rejecting_tests();
                let decides = match compare {
                    Compare::Always => false,
                    Compare::NotEqual => !write,
                    _ => true,
                };
                assert_eq!(found.is_some(), decides, "{compare:?} {write}");
                let stores = |found: DepthOutput| found.test.depth.is_some_and(|depth| depth.write);
                assert!(!found.is_some_and(stores));
            }
        }
    }

    /// Every order of stores by draws before: what fails against the first depth fails against all that follow.
    #[test]
    fn stores_keep_the_order() {
        let depths = [0.0f32, -0.0, 0.25, 0.5, 1.0, f32::NAN, f32::INFINITY];
        for compare in Compare::ALL {
            if late(Some((compare, true)), None)
                .rejecting_tests()
                .is_none()
            {
                continue;
            }
            for (new, first) in depths.iter().flat_map(|a| depths.map(|b| (*a, b))) {
                if compare.holds(new, first) {
                    continue;
                }
                for (one, two) in depths.iter().flat_map(|a| depths.map(|b| (*a, b))) {
                    let mut stored = first;
                    for write in [one, two] {
                        stored = if compare.holds(write, stored) {
                            write
                        } else {
                            stored
                        };
                        assert!(!compare.holds(new, stored), "{compare:?} {new} {first}");
                    }
                }
            }
        }
    }

    #[test]
    fn stencil_values_stay_what_they_were() {
        use StencilOp::{IncrementClamp, Keep, Replace};
        let less = Some((Compare::Less, true));
        let tests = |ops, mask| late(less, face(ops, mask)).rejecting_tests();
        // Failing changes a value.
        assert!(tests([Replace, Keep, Keep], 255).is_none());
        assert!(tests([Keep, IncrementClamp, Keep], 255).is_none());
        // Only passing does: depth rejects, stencil waits.
        let found = tests([Keep, Keep, Replace], 255).expect("depth rejects");
        assert!(found.test.stencil.is_none() && found.test.depth.is_some());
        // Nothing does.
        for (ops, mask) in [([Keep; 3], 255), ([Replace; 3], 0)] {
            let found = tests(ops, mask).expect("both reject");
            assert!(found.test.stencil.is_some() && found.test.depth.is_some());
        }
        let found = late(None, face([Keep; 3], 255)).rejecting_tests();
        assert!(found.is_some_and(|found| found.test.stencil.is_some()));
    }

    #[test]
    fn what_the_shader_decides_waits_for_it() {
        let plain = late(Some((Compare::Less, true)), None);
        assert!(plain.rejecting_tests().is_some());
        for other in [
            DepthOutput {
                exports_depth: true,
                ..plain.clone()
            },
            DepthOutput {
                may_reject: false,
                ..plain.clone()
            },
            DepthOutput {
                early: true,
                ..plain.clone()
            },
        ] {
            assert!(other.rejecting_tests().is_none());
        }
        let mask = DepthOutput {
            exports_mask: true,
            ..plain
        };
        assert!(mask.rejecting_tests().is_some());
        // The reference that a shader gives is not known before it; depth does not ask for it.
        let both = DepthOutput {
            exports_stencil: true,
            ..late(Some((Compare::Less, true)), face([StencilOp::Keep; 3], 255))
        };
        let found = both.rejecting_tests();
        let found = found.map(|found| (found.test.depth.is_some(), found.test.stencil.is_some()));
        assert_eq!(found, Some((true, false)));
        let stencil = DepthOutput {
            test: DepthStencil {
                depth: None,
                ..both.test
            },
            ..both
        };
        assert!(stencil.rejecting_tests().is_none());
    }

    #[test]
    fn bounds_reject_where_no_depth_changes() {
        for (write, kept) in [(false, true), (true, false)] {
            let mut tests = late(Some((Compare::Less, write)), None);
            tests.test.depth = tests.test.depth.map(|depth| Depth {
                bounds: Some([0.1, 0.2]),
                ..depth
            });
            let found = tests.rejecting_tests().and_then(|found| found.test.depth);
            assert_eq!(found.is_some_and(|depth| depth.bounds.is_some()), kept);
        }
    }
}

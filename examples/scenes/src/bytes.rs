//! Numbers as devices have them in memory: the lowest byte first, on every host.

/// A number, or an array of numbers.
pub(crate) trait Number {
    /// Appends its bytes.
    fn put(&self, out: &mut Vec<u8>);
}

macro_rules! numbers {
    ($($number:ty),+) => {
        $(impl Number for $number {
            fn put(&self, out: &mut Vec<u8>) {
                out.extend(self.to_le_bytes());
            }
        })+
    };
}
numbers!(u16, u32, i32, f32);

impl<T: Number, const N: usize> Number for [T; N] {
    fn put(&self, out: &mut Vec<u8>) {
        self.iter().for_each(|number| number.put(out));
    }
}

/// The bytes of numbers.
pub(crate) fn bytes<T: Number>(numbers: &[T]) -> Vec<u8> {
    let mut out = Vec::with_capacity(size_of_val(numbers));
    numbers.iter().for_each(|number| number.put(&mut out));
    out
}
